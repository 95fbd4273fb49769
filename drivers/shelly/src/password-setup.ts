/** The setup for a device's password. */
import {
  type KeptSecrets,
  type KnownDevice,
  SetupFailed,
  type SetupKind,
  type SetupTalk,
} from "@porchlight/driver-kit";
import { Secret } from "@porchlight/shared/settings";
import type { ShellyLine } from "./shelly-line.ts";
import { lacksPassword } from "./trouble.ts";

/** Setup in which a person enters a device's password; the driver tries it at once and stores it when it is right. */
export const PASSWORD_SETUP: SetupKind = {
  kind: "shelly-password",
  title: "Enter the password of a Shelly device",
};

/** Longest accepted password, characters. */
const LONGEST = 256;

/** Timeout for trying a password, s. */
const TRYING_S = 30;

interface Locked {
  readonly line: ShellyLine;
  readonly known: KnownDevice;
}

export function passwordSetup(lines: readonly ShellyLine[], passwords: KeptSecrets) {
  const locked = lines.flatMap((line): Locked[] => {
    const { trouble, known, place } = line;
    // A wrong password in the settings must be corrected there.
    return trouble && lacksPassword(trouble) && known && !place.password ? [{ line, known }] : [];
  });
  const kinds: SetupKind[] = locked.length === 0 ? [] : [PASSWORD_SETUP];
  return {
    kinds,
    /** @throws SetupFailed, the talk's signal's reason */
    run: async (kind: string, talk: SetupTalk): Promise<void> => {
      if (kind !== PASSWORD_SETUP.kind || locked.length === 0)
        throw new SetupFailed("No Shelly device needs a password.");
      const { line, known } = await chosen(locked, talk);
      const text = `The password of ${wordsOf({ line, known })}, as it is set on its own web page.`;
      const password = await talk.ask({ ask: "password", text });
      if (password === "" || password.length > LONGEST)
        throw new SetupFailed(`A password has 1 to ${LONGEST} characters.`);
      talk.tell("Trying the password.", TRYING_S);
      const before = passwords.of(known.edgeId);
      passwords.use(known.edgeId, new Secret(password));
      const outcome = line.outcome(talk.signal);
      line.poke();
      const result = await outcome.catch((failure: unknown) => {
        passwords.use(known.edgeId, before);
        throw failure;
      });
      if (result !== "connected" && result.kind !== "awaits_admission") {
        passwords.use(known.edgeId, before);
        throw new SetupFailed(result.kind === "wrong_password" ? "The password is wrong." : result.message);
      }
      await passwords.keep(known.edgeId);
      talk.found({ edgeId: known.edgeId, name: wordsOf({ line, known }) });
    },
  };
}

async function chosen(locked: readonly Locked[], talk: SetupTalk): Promise<Locked> {
  const [only] = locked;
  if (only && locked.length === 1) return only;
  const choices = locked.map(wordsOf);
  const answer = await talk.ask({ ask: "choice", text: "Which one?", choices });
  const found = locked[choices.indexOf(answer)];
  if (!found) throw new SetupFailed("There is no such device.");
  return found;
}

/** Includes the edgeId, because two devices may share a name. */
function wordsOf({ known: { about, edgeId } }: Locked): string {
  return `${about.name ?? about.model ?? "Shelly"} (${edgeId})`;
}
