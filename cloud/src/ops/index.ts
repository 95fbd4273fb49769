/** What operators and their machines ask of the service. */
export { Health } from "./health.ts";
