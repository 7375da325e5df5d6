"""Prepared statements, advisory locks, leases of jobs, the connection pool, failover and the read replica."""
