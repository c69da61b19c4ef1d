"""HTTP over sockets, for `services.egress`: names, connections, proxies, and clients for libraries that want one."""
