/** Where the documents say what an error means and what to do about it. */

/** @param name of the error, as the service has it: "Hub Offline" */
export function errorPage(name: string): string {
  return `/docs/errors/${name.toLowerCase().replaceAll(" ", "-")}`;
}
