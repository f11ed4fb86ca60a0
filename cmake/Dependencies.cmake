# find_package first; FetchContent, pinned by hash, for machines without the packages.
include(FetchContent)
