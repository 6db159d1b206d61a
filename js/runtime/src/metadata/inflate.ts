/** Unpacks files that are not stored as they are; metadata's mostly are, so this is loaded when it is needed. */

export { inflateSync as inflate } from 'fflate';
