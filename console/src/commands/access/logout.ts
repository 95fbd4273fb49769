/** `porchlight logout`: ends the log-in at the service first, and then deletes the token. */
import { isPorchlightError } from "@porchlight/sdk";
import type { Action } from "../../session/command.ts";
import { Failure } from "../../session/failure.ts";

export const logout: Action = {
  examples: ["porchlight logout", "porchlight logout --profile work"],
  notes: ["A server's or user's token is only removed here: `porchlight tokens delete` revokes it."],
  async run(context, _args) {
    const { output, connection, settings, porchlight } = context;
    if (connection.tokenFrom !== undefined && connection.tokenFrom !== "profile")
      throw new Failure(
        "refused",
        `The token in use is that of ${connection.tokenFrom}.`,
        "It is not in the settings file, so it cannot be removed there.",
        `unset ${connection.tokenFrom}, and try again`,
      );
    const wasAlive = await end(() => porchlight.account.logOut());
    settings.change((before) => {
      const {
        token: _,
        tokenId: __,
        ...profile
      } = before.profiles[connection.profile] ?? { apiUrl: connection.apiUrl };
      return { ...before, profiles: { ...before.profiles, [connection.profile]: profile } };
    });
    output.note(
      wasAlive
        ? `Logged out of ${connection.apiUrl}: the token is revoked, and removed here.`
        : `The token was no longer valid at ${connection.apiUrl}; it is removed here.`,
    );
  },
};

/** Returns whether there was a log-in to end. An unreachable service leaves everything unchanged. */
async function end(logOut: () => Promise<void>): Promise<boolean> {
  try {
    await logOut();
    return true;
  } catch (failure) {
    if (isPorchlightError(failure) && failure.status === 401) return false;
    // A token of this kind is only deleted here.
    if (isPorchlightError(failure, "Token Type Not Allowed")) return false;
    throw failure;
  }
}
