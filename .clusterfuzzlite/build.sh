#!/bin/bash -eu
exec "$SRC/harden/fuzz/oss-fuzz/build.sh"
