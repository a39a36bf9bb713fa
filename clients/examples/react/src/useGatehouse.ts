/** A hook for the signed-in account. Copy this file into your application. */

import { Gatehouse, type GatehouseError, type Options, type Profile, type SecondFactor } from "gatehouse-client";
import { useEffect, useState, useSyncExternalStore } from "react";

export interface Session {
  /** The account, or undefined while it is loading and after the session has ended. */
  account: Profile | undefined;
  isSignedIn: boolean;
  /** The reason that the account could not be loaded. */
  error: GatehouseError | undefined;
  /** Sign in. The result is a login that waits for its second factor, or undefined. */
  login(email: string, password: string): Promise<SecondFactor | undefined>;
  /** Complete a login, for example by `() => paused.totp(code)`. */
  complete(proof: () => Promise<void>): Promise<void>;
  logout(): Promise<void>;
}

/** Make the client and its hook, once for the application. All components share the session. */
export function createGatehouse(options: Options): { gatehouse: Gatehouse; useGatehouse: () => Session } {
  // Each change of the session has a number. Another user may sign in without a logout between.
  let version = 0;
  const listeners = new Set<() => void>();
  const notify = () => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const onSignedOut = () => {
    notify();
    options.onSignedOut?.();
  };
  const gatehouse = new Gatehouse({ ...options, onSignedOut });
  const complete = async (proof: () => Promise<void>) => {
    await proof();
    notify();
  };
  const login = async (email: string, password: string) => {
    const paused = await gatehouse.login(email, password);
    if (!paused) notify();
    return paused;
  };
  const logout = () => gatehouse.logout();

  function useGatehouse(): Session {
    const seen = useSyncExternalStore(subscribe, () => version, () => 0);
    const [loaded, setLoaded] = useState<{ seen: number; account?: Profile; error?: GatehouseError }>();
    useEffect(() => {
      if (!gatehouse.isSignedIn) return;
      let isCurrent = true;
      const keep = (result: object) => isCurrent && setLoaded({ seen, ...result });
      gatehouse.me().then((account) => keep({ account }), (error: GatehouseError) => keep({ error }));
      return () => void (isCurrent = false);
    }, [seen]);
    const { account, error } = loaded?.seen === seen && gatehouse.isSignedIn ? loaded : {};
    return { account, error, isSignedIn: gatehouse.isSignedIn, login, complete, logout };
  }

  return { gatehouse, useGatehouse };
}
