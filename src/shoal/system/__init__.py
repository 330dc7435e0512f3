"""What shoal asks of the operating system: atomic files, temporary files, interrupts, memory."""
