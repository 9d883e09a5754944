/** The names under which preload and desktop speak to each other. */
export const channels = {
  themeCurrent: 'theme:current',
  themeSet: 'theme:set',
  /** From the desktop to the page. */
  themeChanged: 'theme:changed',
  shellSettings: 'shell:settings',
  shellChange: 'shell:change',
  shellSpeak: 'shell:speak',
  shellOpenDiagnostics: 'shell:open-diagnostics',
  shellRestart: 'shell:restart',
} as const

/** The argument by which the desktop tells its preload the app's own origin: on any other page it offers nothing. */
export const originArgument = '--fillbook-origin='
