#!/bin/sh
# Measures on this machine's GPU: `sh run.sh RESULT.json`. Needs the GPU's Vulkan driver; the Vulkan loader is here.
set -eu
directory=$(cd "$(dirname "$0")" && pwd)
if ! ldconfig -p 2>/dev/null | grep -q libvulkan.so.1; then
  export LD_LIBRARY_PATH="$directory/vulkan${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
# Results so far are in the file if the time ends.
exec timeout "${GPU_CHECK_SECONDS:-480}" "$directory/node" --expose-gc "$directory/check.mjs" "$1"
