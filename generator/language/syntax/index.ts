export { parseYaml } from "./parse-yaml.ts";
export {
  valueOf,
  writtenAt,
  type Entry,
  type ListNode,
  type MapNode,
  type Node,
  type ScalarNode,
} from "./node.ts";
export { plainYaml, withItem, yamlText } from "./node.ts";
