/** The theme that the operating system or the user chose. */
export type ThemeMode = 'dark' | 'light' | 'system'

/** The desktop's own settings. */
export type ShellSettings = {
  /** Whether the program starts with the system; null if this system does not support it. */
  readonly startsWithSystem: boolean | null
  /** Whether closing the window keeps the program in the tray. */
  readonly staysInTray: boolean
}

/** What the preload offers to the page as `window.fillbookDesktop`; absent in a browser, and on every page but the app's own. */
export type DesktopBridge = {
  readonly theme: {
    /** The theme now. */
    current(): Promise<'dark' | 'light'>
    /** Switches the theme and returns the one in effect. */
    set(mode: ThemeMode): Promise<'dark' | 'light'>
    /** Calls back when the operating system's theme changes; returns a function that unsubscribes. */
    onChange(listener: (shown: 'dark' | 'light') => void): () => void
  }
  readonly shell: {
    settings(): Promise<ShellSettings>
    /** Changes the given settings and returns those in effect. */
    change(changes: { readonly startsWithSystem?: boolean; readonly staysInTray?: boolean }): Promise<ShellSettings>
    /** Sets the page's language by code, for menus, tray and notices. */
    speak(language: string): Promise<void>
    /** Opens the Diagnostics window, or brings it forward. */
    openDiagnostics(): Promise<void>
    /** Restarts the program after pending writes finish. */
    restart(): Promise<void>
  }
}
