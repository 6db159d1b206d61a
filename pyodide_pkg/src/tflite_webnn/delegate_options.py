"""Options of the WebNN delegate. Made by `python3 build.py docs` of wasm/delegate/delegate_options.h."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict


class DelegateOptions(TypedDict, total=False):
    """What the delegate takes, and whoever opens its context."""

    device_preference: Literal["default", "gpu", "cpu", "npu"]
    """The device to ask for; `default` leaves it to the browser. Default: `default`."""

    power_preference: Literal["default", "high-performance", "low-power"]
    """Whether to prefer speed or battery life. Default: `default`."""

    max_partitions: int | str
    """The maximum number of partitions on WebNN, the largest first; 0 for no limit. Default: `0`."""

    min_nodes_per_partition: int | str
    """The minimum number of nodes in a WebNN partition. Default: `0`."""

    ignore_partition_cost: bool | str
    """Also take partitions whose dispatch and copies take longer than WebNN saves, by the delegate's estimate. The
    estimate never applies to a partition that is the whole model, nor if `allowed_ops` names ops. Default: `false`."""

    allowed_ops: Sequence[str] | str
    """TFLite ops (e.g. CONV_2D) that WebNN may take; if none is named, all that it supports."""

    denied_ops: Sequence[str] | str
    """TFLite ops that WebNN must not take."""
