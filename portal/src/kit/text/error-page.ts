/** Links an error to its page in the documentation, which explains its meaning and remedy. */

/** @param name the service's name of the error: "Hub Offline" */
export function errorPage(name: string): string {
  return `/docs/errors/${name.toLowerCase().replaceAll(" ", "-")}`;
}
