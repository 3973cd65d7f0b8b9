var e=class extends Error{name="UnreadableData"};export{e as a};
