/** Keeps a token in the profile in use, with whose it is. */
import type { Context } from "../../session/context.ts";
import type { Profile } from "../../settings/settings-file.ts";

/** A token that the service has accepted or made. */
export interface KeptToken {
  readonly token: string;
  readonly tokenId: string;
  readonly accountId?: string | undefined;
  readonly email?: string | undefined;
}

/** Writes the profile, and says what was kept where. @param who as whom, for the message @throws SettingsUnusable, SystemError */
export function keepLogIn({ output, connection, settings }: Context, kept: KeptToken, who: string): void {
  const { apiUrl, profile: name } = connection;
  const former = settings.read().profiles[name];
  settings.change((before) => ({
    ...before,
    current: name,
    profiles: { ...before.profiles, [name]: profileOf(before.profiles[name], apiUrl, kept) },
  }));
  output.note(`Logged in as ${who} at ${apiUrl} (profile ${name}).`);
  output.note(`The token is stored in ${settings.path}.`);
  const isLeft = former?.token !== undefined && former.apiUrl === apiUrl && former.tokenId !== undefined;
  if (isLeft && former.tokenId !== kept.tokenId)
    output.note(`The previous token is still valid. To end it: porchlight accounts end-login ${former.tokenId}`);
}

/** The places of a profile stay for the same account only. */
function profileOf(before: Profile | undefined, apiUrl: string, { accountId, email, ...kept }: KeptToken): Profile {
  const isSame = before?.apiUrl === apiUrl && accountId !== undefined && before.accountId === accountId;
  return {
    ...(isSame && { environment: before.environment, ecosystem: before.ecosystem }),
    ...{ apiUrl, ...kept },
    ...(accountId !== undefined && { accountId }),
    ...(email !== undefined && { email }),
  };
}
