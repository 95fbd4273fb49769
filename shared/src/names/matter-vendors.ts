/** Whose a Matter controller is, by the number that the Connectivity Standards Alliance has given to its vendor. */

/** Those whose controllers are in most homes. */
const VENDORS: Readonly<Record<number, string>> = {
  4937: "Apple",
  4996: "Apple",
  24582: "Google",
  4631: "Amazon",
  4362: "Samsung SmartThings",
  4939: "Home Assistant",
};

/** @returns undefined of a vendor that is not known */
export function matterVendor(vendorId: number): string | undefined {
  return VENDORS[vendorId];
}
