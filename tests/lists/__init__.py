"""Published lists: the files, the digest, the lists cut from them."""
