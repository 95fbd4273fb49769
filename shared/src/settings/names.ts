/** One setting under its three names (key, variable, flag), and the name that somebody who mistyped it meant. */

const HUMP = /([a-z0-9])([A-Z])/g;

/** The environment variable of a key: `publicUrl` is `PORCHLIGHT_PUBLIC_URL`, `lan.admit` is `PORCHLIGHT_LAN_ADMIT`. */
export function variableOf(key: string): string {
  return `PORCHLIGHT_${key.replace(HUMP, "$1_$2").replace(".", "_").toUpperCase()}`;
}

/** The variable that names a file with the value of a secret: that of `smtp` is `PORCHLIGHT_SMTP_FILE`. */
export function fileVariableOf(key: string): string {
  return `${variableOf(key)}_FILE`;
}

/** The flag of a key: `publicUrl` is `--public-url`, `lan.admit` is `--lan-admit`. */
export function flagOf(key: string): string {
  return `--${key.replace(HUMP, "$1-$2").replace(".", "-").toLowerCase()}`;
}

/** The key under which a command line's parser gives a flag: that of `lan.admit` is `lanAdmit`. */
export function parsedFlagOf(key: string): string {
  return key.replace(/\.([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The known key that is closest to a wrong one, or undefined when none is near enough to be meant. */
export function closestKey(wrong: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wrong.length / 3)) + 1;
  for (const key of known) {
    const distance = plain(key) === plain(wrong) ? 0 : editDistance(key.toLowerCase(), wrong.toLowerCase());
    if (distance < bestDistance) {
      best = key;
      bestDistance = distance;
    }
  }
  return best;
}

/** `public-url`, `PUBLIC_URL` and `publicUrl` are the same word to a person. */
function plain(key: string): string {
  return key.replace(/[-_]/g, "").toLowerCase();
}

/** Single characters to add, drop, change or swap with their neighbour to get from one word to the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const changed = (last[column - 1] ?? 0) + (same ? 0 : 1);
      let cost = Math.min(changed, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
