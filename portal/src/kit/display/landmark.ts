/** Renders floating elements inside the page's main landmark, so that screen reader users who navigate by landmarks find them. */
export const IN_MAIN = { target: "#main" } as const;
