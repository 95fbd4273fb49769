/** Before tests that look at the portal: it is built of what stands here now. */
import { buildPortal } from "../../scripts/portal/build.mjs";

export function setup() {
  buildPortal();
}
