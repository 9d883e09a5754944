/** The program's AppUserModelID on Windows, which notifications need: `appId` of electron-builder.yml. */
export const appId = 'app.fillbook.desktop'
