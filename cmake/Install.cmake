# cmake --install, and find_package(warpsim) for those who embed the simulator.
