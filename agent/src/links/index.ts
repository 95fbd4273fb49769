/** The front of connections to the service through a proxy. */
export { throughProxy } from "./proxy.ts";
