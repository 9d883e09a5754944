/** Another service's text, safe to show and log: one line, at most 200 characters, without `secrets` and anything that looks like a token. */
export const fitToShow = (text: string, secrets: readonly string[] = []): string =>
  secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    .replaceAll(/[\w.~+/=-]{32,}/g, '…')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)
