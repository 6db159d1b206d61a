"""Coverage and conformance of a browser's WebNN, with the probes of the site's page."""
