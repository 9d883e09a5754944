import type { ShellSettings } from '#shared/bridge/desktop-bridge.ts'
import { setStartsWithSystem, startsWithSystem } from './login-item.ts'
import type { ShellStore } from './shell-state.ts'

/** What the desktop does by itself, as the page reads and changes it. */
export type ShellSettingsDesk = {
  readonly read: () => ShellSettings
  /** Changes what is given, and gives what holds now. */
  readonly change: (changes: { readonly [K in keyof ShellSettings]?: boolean | undefined }) => ShellSettings
}

/** The settings over what is remembered and what the system keeps itself. */
export const createShellSettings = (store: ShellStore): ShellSettingsDesk => {
  const read = (): ShellSettings => ({ startsWithSystem: startsWithSystem(), staysInTray: store.read().staysInTray })
  return {
    read,
    change: ({ startsWithSystem: wanted, staysInTray }) => {
      if (wanted !== undefined) setStartsWithSystem(wanted)
      if (staysInTray !== undefined) store.change({ staysInTray })
      return read()
    },
  }
}
