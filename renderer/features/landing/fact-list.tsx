/** Short facts beside each other. */
export const FactList = ({ facts }: { facts: readonly { readonly name: string; readonly text: string }[] }) => (
  <ul className="grid grid-cols-4 overflow-hidden rounded-lg border border-line bg-line gap-px max-lg:grid-cols-2 max-sm:grid-cols-1">
    {facts.map(({ name, text }) => (
      <li key={name} className="bg-surface p-4">
        <h3 className="font-semibold">{name}</h3>
        <p className="mt-1 text-muted">{text}</p>
      </li>
    ))}
  </ul>
)
