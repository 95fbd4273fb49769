/** The origin that marks a hub's discovery messages, so that no hub takes another hub's devices for a broker's. */

/** `name` of the `origin` block of every discovery message that a hub publishes. */
export const OWN_ORIGIN = "Porchlight";
