"""What a table or a release reveals and costs: assess, attack, intersect, measure, compare."""
