"""What the documents for operators promise, run on real Debian machines: `bin/rehearse`."""
