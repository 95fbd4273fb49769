/** By what the discovery messages of a hub are told from all others, so that no hub takes another's devices for a broker's. */

/** `name` of the `origin` block of every discovery message that a hub publishes. */
export const OWN_ORIGIN = "Porchlight";
