"""The review: what would make a release protect less than it says, found before anything is returned or written."""
