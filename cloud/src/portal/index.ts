/** The developer portal, as it was built, before the documents. */
export { Portal } from "./portal.ts";
