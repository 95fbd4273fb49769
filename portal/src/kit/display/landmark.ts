/** For what hovers over the page: it stands within the page's main part, so that it is found by who goes from landmark to landmark. */
export const IN_MAIN = { target: "#main" } as const;
