/** The developer portal as it was built, served before the documents. */
export { Portal } from "./portal.ts";
