// Only so that cargo accepts the manifest; nothing here is built.
