/** The documents that the service itself serves to people. */
export { Docs } from "./docs.ts";
