#!/usr/bin/env bash
# One CUDA C++ file of a checkout to PTX, with the folders that cuda-samples keep their headers in.
#
#   NVCC=… tools/nvcc_ptx.sh DIR FILE PTX [OPTION...]     FILE: below DIR; OPTION: nvcc's, -rdc=true say
#
# Errors: nvcc's exit code.
set -euo pipefail
folder=$1/$(dirname "$2")
exec "$NVCC" -ptx -arch=sm_90 -std=c++17 -w -I"$1/Common" -I"$folder" -I"$folder/inc" -I"$folder/../inc" "${@:4}" \
  -o "$3" "$1/$2"
