declare module '*.lua' {
  const text: string;
  export default text;
}

declare module '*.conf' {
  const text: string;
  export default text;
}

declare module '*.ini' {
  const text: string;
  export default text;
}

declare module '*.css' {
  const text: string;
  export default text;
}

declare module '*.html' {
  const text: string;
  export default text;
}

declare module '*/Dockerfile' {
  const text: string;
  export default text;
}

declare module '*.k6.js' {
  const text: string;
  export default text;
}

declare module '*.md' {
  const text: string;
  export default text;
}

declare module '*.bash' {
  const text: string;
  export default text;
}

declare module '*.zsh' {
  const text: string;
  export default text;
}
