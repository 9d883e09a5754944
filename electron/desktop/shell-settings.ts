import type { ShellSettings } from '#shared/bridge/desktop-bridge.ts'
import { setStartsWithSystem, startsWithSystem } from './login-item.ts'
import type { ShellStore } from './shell-state.ts'

/** The desktop settings that the page reads and changes. Combines the stored state with the system's login item. */
export const createShellSettings = (store: ShellStore) => {
  const read = (): ShellSettings => ({ startsWithSystem: startsWithSystem(), staysInTray: store.read().staysInTray })
  return {
    read,
    /** Applies the given changes and returns all settings. */
    change: ({ startsWithSystem: wanted, staysInTray }: { readonly [K in keyof ShellSettings]?: boolean | undefined }): ShellSettings => {
      if (wanted !== undefined) setStartsWithSystem(wanted)
      if (staysInTray !== undefined) store.change({ staysInTray })
      return read()
    },
  }
}
