/** The system's dark mode; only macOS and Windows report one for bars apart from windows. */
type Bars = { readonly shouldUseDarkColors: boolean; readonly shouldUseDarkColorsForSystemIntegratedUI?: boolean | undefined }

/** The tray icon's file name. macOS colors a template icon itself; other systems have one icon for dark bars and one for light ones. */
export const trayIcon = (platform: NodeJS.Platform, { shouldUseDarkColors, shouldUseDarkColorsForSystemIntegratedUI = shouldUseDarkColors }: Bars): string => {
  if (platform === 'darwin') return 'trayTemplate.png'
  return `tray-${shouldUseDarkColorsForSystemIntegratedUI ? 'dark' : 'light'}.${platform === 'win32' ? 'ico' : 'png'}`
}
