/** The documents that the service serves to people. */
export { Docs } from "./docs.ts";
