/** The providers around every page: theme, log-in, query cache and router. */
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { isPorchlightError } from "@porchlight/sdk";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { useState } from "react";
import { type Access, AccessProvider } from "../session/context.tsx";
import { theme, variables } from "../theme/theme.ts";
import { makeRouter } from "./router.tsx";

export function App({ access }: { readonly access: Access }) {
  const [queries] = useState(makeQueries);
  const [router] = useState(() => makeRouter({ access, queries }));
  const nonce = useStyleNonce();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      colorSchemeManager={KEPT_THEME}
    >
      <AccessProvider access={access}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AccessProvider>
    </MantineProvider>
  );
}

/** Stores the user's choice between light and dark; the default is the system's setting. */
const KEPT_THEME = localStorageColorSchemeManager({ key: "porchlight-theme" });

/**
 * Queries retry only failed connections, because the SDK already repeats requests that are safe to repeat. Events invalidate data, so it
 * stays fresh for 30 s.
 */
function makeQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (times, error) => times < 2 && isPorchlightError(error) && error.status === 0,
        staleTime: 30_000,
        refetchOnWindowFocus: true,
      },
    },
  });
}

/** The nonce with which the content security policy allows style sheets: Mantine's, and the one that blocks scrolling under a dialog. */
function useStyleNonce(): string {
  const [nonce] = useState(() => {
    const found = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
    setNonce(found);
    return found;
  });
  return nonce;
}
