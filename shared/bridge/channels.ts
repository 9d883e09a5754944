/** The IPC channels between preload and desktop. */
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

/** The argument with which the desktop passes the app's origin to its preload, which offers nothing on any other page. */
export const originArgument = '--fillbook-origin='
