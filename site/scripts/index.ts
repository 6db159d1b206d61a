/** Home: what the visitor's browser can do. */
