"""Prepared statements, advisory locks, leases for jobs, the connection pool, failover and the read replica."""
