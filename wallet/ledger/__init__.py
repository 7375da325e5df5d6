"""The only callers of the ledger's SQL: postings, holds, checks, partitions."""
