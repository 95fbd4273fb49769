/** The vendor of a Matter controller, by the vendor number that the Connectivity Standards Alliance has assigned. */

/** Vendors of the controllers in most homes. */
const VENDORS: Readonly<Record<number, string>> = {
  4937: "Apple",
  4996: "Apple",
  24582: "Google",
  4631: "Amazon",
  4362: "Samsung SmartThings",
  4939: "Home Assistant",
};

/** @returns undefined for an unknown vendor */
export function matterVendor(vendorId: number): string | undefined {
  return VENDORS[vendorId];
}
