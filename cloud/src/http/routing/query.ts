/** Query parameters that many routes take. */
export { PAGING } from "@porchlight/shared/rest";
