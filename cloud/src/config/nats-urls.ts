/** How addresses of NATS are written. */

/** Whether it is a list of addresses of NATS. */
export function isNatsUrls(text: string): boolean {
  return text.split(",").every((url) => /^(nats|tls):\/\/[^\s/]+\/?$/.test(url.trim()) && URL.canParse(url.trim()));
}

/** Whether they hold a user or a token. */
export function hasNatsCredentials(text: string): boolean {
  return /\/\/[^/\s,]*@/.test(text);
}
