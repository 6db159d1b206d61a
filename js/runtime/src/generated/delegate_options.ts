/** Options of the WebNN delegate. Made by `python3 build.py docs` of wasm/delegate/delegate_options.h. */

/** The device to ask for; `default` leaves it to the browser. */
export type DevicePreference = 'default' | 'gpu' | 'cpu' | 'npu';

/** Whether to prefer speed or battery life. */
export type PowerPreference = 'default' | 'high-performance' | 'low-power';

/** What the delegate takes, and whoever opens its context. */
export interface DelegateOptions {
  /** The device to ask for; `default` leaves it to the browser. Default: `default`. */
  devicePreference?: DevicePreference;
  /** Whether to prefer speed or battery life. Default: `default`. */
  powerPreference?: PowerPreference;
  /** The maximum number of partitions on WebNN, the largest first; 0 for no limit. Default: `0`. */
  maxPartitions?: number;
  /** The minimum number of nodes in a WebNN partition. Default: `0`. */
  minNodesPerPartition?: number;
  /**
   * Also take partitions whose dispatch and copies take longer than WebNN saves, by the delegate's estimate. The
   * estimate never applies to a partition that is the whole model, nor if `allowedOps` names ops. Default: `false`.
   */
  ignorePartitionCost?: boolean;
  /** TFLite ops (e.g. CONV_2D) that WebNN may take; if none is named, all that it supports. */
  allowedOps?: readonly string[];
  /** TFLite ops that WebNN must not take. */
  deniedOps?: readonly string[];
}

/** What wasm calls each, what it takes, and who reads it. */
export const DELEGATE_OPTIONS = {
  devicePreference: {
    key: 'device_preference',
    type: 'choice',
    scope: 'context',
    choices: ['default', 'gpu', 'cpu', 'npu'],
  },
  powerPreference: {
    key: 'power_preference',
    type: 'choice',
    scope: 'context',
    choices: ['default', 'high-performance', 'low-power'],
  },
  maxPartitions: { key: 'max_partitions', type: 'count', scope: 'delegate' },
  minNodesPerPartition: { key: 'min_nodes_per_partition', type: 'count', scope: 'delegate' },
  ignorePartitionCost: { key: 'ignore_partition_cost', type: 'flag', scope: 'delegate' },
  allowedOps: { key: 'allowed_ops', type: 'ops', scope: 'delegate' },
  deniedOps: { key: 'denied_ops', type: 'ops', scope: 'delegate' },
} as const;
